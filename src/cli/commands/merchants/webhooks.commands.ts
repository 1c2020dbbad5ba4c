import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { By } from '../../../database/by.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { MerchantsService } from '../../../modules/merchants/merchants.service.js';
import { WebhookDeliveriesService } from '../../../modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../modules/webhooks/webhooks.service.js';
import {
  type DeliveryRef,
  ENDPOINT_EVENTS,
  type EndpointRef,
} from '../../../modules/webhooks/webhooks.types.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { list, print, time } from '../../output.js';

const EVENTS_HELP = `one or more of ${ENDPOINT_EVENTS.join(', ')}; the first alone without it`;

interface Created extends ByOption {
  readonly merchant: string;
  readonly url: string;
  readonly events?: readonly string[];
}

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('where events are delivered');
  addCreate(webhook);
  addSet(webhook);
  addList(webhook);
  addRotate(webhook);
  addDisable(webhook);
  addEnable(webhook);
  addTest(webhook);
  addDeliveries(webhook);
  addAttempts(webhook);
  addRedeliver(webhook);
}

function addCreate(webhook: Command): void {
  webhook
    .command('create')
    .description('create an endpoint; its secret is printed once')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--url <url>', 'https address')
    .option('--events <list>', EVENTS_HELP, list)
    .addOption(byOption())
    .action(async ({ merchant, url, events, by }: Created, command: Command) => {
      const created = await withApp(async (app) => {
        await app.get(MerchantsService).get(merchant);
        const wanted = { merchantId: merchant, url, events };
        return app.get(WebhooksService).createEndpoint(wanted, byOf(app, by));
      });
      print(command, { ...created.endpoint, secret: created.secret });
    });
}

function addSet(webhook: Command): void {
  webhook
    .command('set <endpoint>')
    .description('change what an endpoint is sent from now on')
    .requiredOption('--events <list>', EVENTS_HELP, list)
    .addOption(byOption())
    .action(
      async (id: string, { events, by }: ByOption & { events: readonly string[] }, command: Command) => {
        const change = (app: INestApplicationContext, ref: EndpointRef) =>
          app.get(WebhooksService).changeEvents(ref, events, byOf(app, by));
        print(command, await changed(id, change));
      },
    );
}

function addList(webhook: Command): void {
  webhook
    .command('list')
    .description('endpoints of a merchant')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: { merchant: string }, command: Command) => {
      const endpoints = await withApp((app) => app.get(WebhooksService).listEndpoints(merchant));
      print(command, endpoints);
    });
}

function addRotate(webhook: Command): void {
  webhook
    .command('rotate <endpoint>')
    .description('a new secret; both sign for 24 hours')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const rotated = await onEndpoint(id, (app, ref) =>
        app.get(WebhooksService).rotateSecret(ref, byOf(app, by)),
      );
      print(command, { id, ...rotated });
    });
}

function addDisable(webhook: Command): void {
  webhook
    .command('disable <endpoint>')
    .description('send nothing to it; later events are held')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const disable = (app: INestApplicationContext, ref: EndpointRef) =>
        app.get(WebhooksService).disable(ref, byOf(app, by));
      print(command, await changed(id, disable));
    });
}

function addEnable(webhook: Command): void {
  webhook
    .command('enable <endpoint>')
    .description('send to it again')
    .option('--send-held', 'send what was held meanwhile; without it, that is given up')
    .addOption(byOption())
    .action(
      async (id: string, { sendHeld = false, by }: ByOption & { sendHeld?: boolean }, command: Command) => {
        const enable = (app: INestApplicationContext, ref: EndpointRef) =>
          app.get(WebhooksService).enable(ref, { sendHeld }, byOf(app, by));
        print(command, await changed(id, enable));
      },
    );
}

function addTest(webhook: Command): void {
  webhook
    .command('test <endpoint>')
    .description('send a signed webhook.test event now, to a disabled endpoint too, and show what it answers')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const send = (app: INestApplicationContext, ref: EndpointRef) =>
        app.get(WebhookDeliveriesService).sendTest(ref, byOf(app, by));
      print(command, await onEndpoint(id, send));
    });
}

function addDeliveries(webhook: Command): void {
  webhook
    .command('deliveries <endpoint>')
    .description('the latest deliveries, newest first')
    .option('--failed', 'only what was given up')
    .option('--undelivered', 'only what was tried and has not arrived: given up, or waiting for another try')
    .option('--since <time>', 'only what was written since, e.g. 2026-11-21T08:00:00Z', time)
    .option('--after <delivery>', 'the page after this delivery')
    .option('--limit <n>', '1 to 100', Number, 50)
    .action(async (id: string, { failed, undelivered = false, ...range }: Filter, command: Command) => {
      const filter = { ...range, failed: undelivered, ...(failed ? { state: 'failed' as const } : {}) };
      const page = await onEndpoint(id, (app, ref) => app.get(WebhookDeliveriesService).list(ref, filter));
      print(command, page.items);
    });
}

function addAttempts(webhook: Command): void {
  webhook
    .command('attempts <delivery>')
    .description('every try of a delivery and its answer, newest first')
    .action(async (id: string, _options: unknown, command: Command) => {
      const attempts = await onDelivery(id, (app, ref) => app.get(WebhookDeliveriesService).attempts(ref));
      print(command, attempts);
    });
}

function addRedeliver(webhook: Command): void {
  webhook
    .command('redeliver [delivery]')
    .description('send a delivery again, or everything of an endpoint that failed since a time')
    .option('--endpoint <id>', 'with --failed-since, instead of a delivery')
    .option('--failed-since <time>', 'e.g. 2026-11-21T08:00:00Z', time)
    .addOption(byOption())
    .action(
      async (
        id: string | undefined,
        options: ByOption & { endpoint?: string; failedSince?: Date },
        command: Command,
      ) => {
        const { endpoint, failedSince, by } = options;
        if (id !== undefined && !endpoint && !failedSince) {
          await onDelivery(id, (app, ref) => app.get(WebhookDeliveriesService).redeliver(ref, byOf(app, by)));
          return print(command, { redelivered: 1 });
        }
        if (id !== undefined || !endpoint || !failedSince) {
          throw new Error('Name a delivery, or --endpoint and --failed-since.');
        }
        const redelivered = await onEndpoint(endpoint, (app, ref) =>
          app.get(WebhookDeliveriesService).redeliverFailed(ref, failedSince, byOf(app, by)),
        );
        print(command, { redelivered });
      },
    );
}

interface Filter {
  readonly failed?: boolean;
  readonly undelivered?: boolean;
  readonly since?: Date;
  readonly after?: string;
  readonly limit: number;
}

function byOf(app: INestApplicationContext, by: string): By {
  return app.get(AuditLog).by(commandLine(by));
}

/** The operator names an endpoint alone; it acts in the name of the merchant whose endpoint it is. */
function onEndpoint<T>(
  endpointId: string,
  work: (app: INestApplicationContext, ref: EndpointRef) => Promise<T>,
): Promise<T> {
  return withApp(async (app) => {
    const merchantId = await app.get(WebhooksService).ownerOf(endpointId);
    return work(app, { merchantId, endpointId });
  });
}

function changed(
  endpointId: string,
  change: (app: INestApplicationContext, ref: EndpointRef) => Promise<void>,
) {
  return onEndpoint(endpointId, async (app, ref) => {
    await change(app, ref);
    return app.get(WebhooksService).getEndpoint(ref);
  });
}

function onDelivery<T>(
  deliveryId: string,
  work: (app: INestApplicationContext, ref: DeliveryRef) => Promise<T>,
): Promise<T> {
  return withApp(async (app) => {
    const merchantId = await app.get(WebhookDeliveriesService).ownerOf(deliveryId);
    return work(app, { merchantId, deliveryId });
  });
}
