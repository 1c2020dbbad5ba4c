import type { ContractOutline } from '../../platform/openapi/openapi.js';
import { ProblemDocument } from './dto/problem.response.js';

const DESCRIPTION = `Charge CHF, EUR or USD and be paid in crypto, straight into your own wallet.

Create a payment intent, send the buyer to its \`checkoutUrl\`, and fulfil the order when a signed
\`payment.status\` webhook says \`settled\`. Never fulfil on the buyer's return alone.

A replay always returns the original intent: a second attempt at an order takes a new idempotency key.`;

/** What the contract says of this service at its address. */
export const contractOutline = (baseUrl: string): ContractOutline => ({
  outline: (builder) =>
    builder
      .setTitle('Rappen: payment intents')
      .setDescription(DESCRIPTION)
      .setVersion('1.0')
      .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
      .setExternalDoc('Documentation', `${baseUrl}/docs`)
      .addTag('Events', 'What the service sends to your webhook endpoints.')
      .addTag('Payment intents', 'A fiat amount that a buyer pays in crypto at the hosted checkout.')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: svc_live_…' }, 'bearer')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same key.' }, 'apiKey'),
  contact: { name: 'The operator of this service', url: baseUrl },
  servers: [
    { url: baseUrl, description: 'This service, in production or as a sandbox.', 'x-internal': false },
  ],
  models: [ProblemDocument],
});
