import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import {
  NEWS_URL,
  type NewsUrl,
  ONE_TIME_LINK_URL,
  type OneTimeLinkUrl,
} from '../accounts/accounts.types.js';
import { ALERT_LIST_URL, ALERT_URL, type AlertListUrl, type AlertUrl } from '../alerts/alerts.types.js';
import { alertPath } from './alerts/alert-path.js';
import { pathTo } from './paths.http.js';

/** For the modules below the dashboard: they name what they link to, and are given its address. */
@Global()
@Module({
  providers: [
    {
      provide: ALERT_URL,
      inject: [CONFIG],
      useFactory:
        ({ baseUrl }: Config): AlertUrl =>
        (about) =>
          baseUrl + alertPath(about),
    },
    {
      provide: ALERT_LIST_URL,
      inject: [CONFIG],
      useFactory:
        ({ baseUrl }: Config): AlertListUrl =>
        (merchantId) =>
          baseUrl + pathTo(merchantId === null ? 'operatorAlerts' : 'alerts'),
    },
    {
      provide: ONE_TIME_LINK_URL,
      inject: [CONFIG],
      useFactory:
        ({ baseUrl }: Config): OneTimeLinkUrl =>
        (token) =>
          baseUrl + pathTo('oneTimeLink', token),
    },
    {
      provide: NEWS_URL,
      inject: [CONFIG],
      useFactory:
        ({ baseUrl }: Config): NewsUrl =>
        (place) =>
          baseUrl + pathTo(place),
    },
  ],
  exports: [ALERT_URL, ALERT_LIST_URL, ONE_TIME_LINK_URL, NEWS_URL],
})
export class PageUrlsModule {}
