import type { Command } from 'commander';
import { MerchantsService } from '../modules/merchants/merchants.service.js';
import { WebhooksService } from '../modules/webhooks/webhooks.service.js';
import { withApp } from './context.js';
import { print } from './output.js';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('where events are delivered');
  webhook
    .command('create')
    .description('create an endpoint; its secret is printed once')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--url <url>', 'https address')
    .action(async ({ merchant, url }: { merchant: string; url: string }, command: Command) => {
      const created = await withApp(async (app) => {
        await app.get(MerchantsService).get(merchant);
        return app.get(WebhooksService).createEndpoint({ merchantId: merchant, url });
      });
      print(command, { ...created.endpoint, secret: created.secret });
    });
  webhook
    .command('list')
    .description('endpoints of a merchant')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: { merchant: string }, command: Command) => {
      const endpoints = await withApp((app) => app.get(WebhooksService).listEndpoints(merchant));
      print(command, endpoints);
    });
  webhook
    .command('rotate <id>')
    .description('a new secret; both sign for 24 hours')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, { id, ...(await withApp((app) => app.get(WebhooksService).rotateSecret(id))) });
    });
}
