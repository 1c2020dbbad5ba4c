import { type DynamicModule, Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module.js';
import { IntentsModule } from '../intents/intents.module.js';
import { PanelController } from './panel/panel.controller.js';
import { PanelGuard } from './panel/panel.guard.js';
import { PanelPages } from './panel/panel.pages.js';
import { PartsController } from './parts/parts.controller.js';
import { ReceivedEvents } from './receiver/received-events.js';
import { ReceiverController } from './receiver/receiver.controller.js';
import { PaymentWindow } from './scenarios/payment-window.js';
import { LOCAL_BUYERS, type LocalBuyers, ScenariosService } from './scenarios/scenarios.service.js';

/** What only a sandbox has. Production never loads this. */
@Module({})
export class SandboxModule {
  static with(buyers: LocalBuyers): DynamicModule {
    return {
      module: SandboxModule,
      imports: [ChainsModule, IntentsModule],
      controllers: [ReceiverController, PanelController, PartsController],
      providers: [
        ReceivedEvents,
        ScenariosService,
        PaymentWindow,
        PanelGuard,
        PanelPages,
        { provide: LOCAL_BUYERS, useValue: buyers },
      ],
    };
  }
}
