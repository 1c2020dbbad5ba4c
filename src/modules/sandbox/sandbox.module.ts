import { Module } from '@nestjs/common';
import { ReceivedEvents } from './receiver/received-events.js';
import { ReceiverController } from './receiver/receiver.controller.js';

/** What only a sandbox has. Production never loads this. */
@Module({ controllers: [ReceiverController], providers: [ReceivedEvents], exports: [ReceivedEvents] })
export class SandboxModule {}
