import { Global, Module } from '@nestjs/common';
import { LANGUAGES } from '../../kernel/text/staff-languages.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LanguagesService } from '../accounts/people/languages.service.js';
import { ALERT_READERS, type ReadersOf } from '../alerts/alerts.types.js';
import { sayIn } from './language/say.js';

/** For mails about alerts, which know neither accounts nor languages: who reads what, and how it is said to them. */
@Global()
@Module({
  imports: [AccountsModule],
  providers: [
    {
      provide: ALERT_READERS,
      inject: [LanguagesService],
      useFactory:
        (people: LanguagesService): ReadersOf =>
        async (emails, merchantId) => {
          const addressed = await people.readers(emails, merchantId);
          return LANGUAGES.map((language) => ({
            to: addressed.filter((one) => one.language === language),
            language,
            told: sayIn(language).told,
          })).filter(({ to }) => to.length > 0);
        },
    },
  ],
  exports: [ALERT_READERS],
})
export class AlertReadersModule {}
