// Generated from docs/openapi.json by `npm run openapi`. Do not edit.

export interface paths {
  '/api/v1/intents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List payment intents, newest first
     * @description With their live status. A page past the end has no items. Unknown parameters are refused.
     */
    get: operations['listIntents'];
    put?: never;
    /**
     * Create a payment intent
     * @description A repeated `idempotencyKey` returns the original intent with 200 and its live status, for ever: a second attempt at an order takes a new key.
     */
    post: operations['createIntent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/intents/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a payment intent
     * @description With its live status: an intent whose window has lapsed reads `expired` at once.
     */
    get: operations['getIntent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/intents/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a payment intent
     * @description While it is `initiated`, or `pending` and short of its amount. What has arrived by then, and whatever still arrives, is in your wallet, and yours to refund: look at `payment` of the answer. Nothing happens to one that is cancelled already. There is no body.
     */
    post: operations['cancelIntent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events in the order of their commit
     * @description For a receiver that was down, or instead of one: `after` is the id of the last event of this list that you have dealt with; without it the list begins with your first. Each event comes exactly once, in an order that never changes, and is the body that webhooks carry. Webhooks come in no promised order: after the id of one, what precedes it here and has yet to arrive is not listed. A test of an endpoint is not among them. An event keeps the fields of the day on which it was written: those of version 0.1.0 have no `idempotencyKey`. An empty page means that there is nothing new: keep your `after`, and ask again later.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'payment.status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * An intent changed its status
     * @description Signed by Standard Webhooks 1.0.0 and delivered at least once, in no promised order: apply an event only if its `sequence` is greater than the last that you have seen for this intent. Answer 2xx within 10 seconds.
     */
    post: operations['onPaymentStatus'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.money': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Money arrived for an intent that has ended
     * @description For endpoints that ask for it. Sent once for each transfer, when it is final, and signed like every event: money that was late, too little or too much, of another asset, network or quote, or that came after the settlement, a cancellation or a failure. It changes no status: accept, dismiss or refund it in the review queue. Each has its own `sequence`.
     */
    post: operations['onPaymentMoney'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Somebody asked for a test of this endpoint
     * @description Sent to one endpoint when its merchant or the operator asks for it, and signed like every event. It says nothing about any payment: verify it, answer 2xx, do nothing. It is tried once.
     */
    post: operations['onWebhookTest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    PaymentIntentResponse: {
      /**
       * @description Keep it with the order. Sorts by the time of creation.
       * @example pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya
       */
      id: string;
      /**
       * @description Live: a lapsed window reads `expired` at once.
       * @enum {string}
       */
      status: 'initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled';
      /**
       * @description Fiat amount charged.
       * @example 49.9
       */
      amount: number;
      /**
       * @description Fiat currency of `amount`.
       * @enum {string}
       */
      currency: 'CHF' | 'EUR' | 'USD';
      /**
       * @description Title passed at creation.
       * @example Order 1001
       */
      title: string | null;
      /**
       * @description Asset that the buyer picked; null until then.
       * @example USDC
       */
      assetSymbol: string | null;
      /**
       * @description Exact amount to send, a decimal string with 8 places; null until an asset is picked.
       * @example 62.37500000
       */
      cryptoAmount: string | null;
      /**
       * @description Address the buyer pays to; null until an asset is picked.
       * @example 0x71C7656EC7ab88b098defB751B7401B5f6d8976F
       */
      depositAddress: string | null;
      /**
       * Format: uri
       * @description Send the buyer here.
       * @example https://pay.rappen.example/pay/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya
       */
      checkoutUrl: string;
      /**
       * @description Where the buyer may return to, as passed at creation.
       * @example https://shop.example/thanks
       */
      returnUrl: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       * @example 2026-11-21T08:15:00.000Z
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description End of the payment window: 15 minutes after creation.
       * @example 2026-11-21T08:15:00.000Z
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the deposit was confirmed on chain, if it was.
       * @example 2026-11-21T08:15:00.000Z
       */
      confirmedAt: string | null;
      /**
       * Format: date-time
       * @description When the payment settled, if it did: fulfil on this.
       * @example 2026-11-21T08:15:00.000Z
       */
      settledAt: string | null;
      /**
       * @description As passed at creation: with your order’s id as the key, this is your order’s id.
       * @example order-1001
       */
      idempotencyKey: string | null;
    };
    CreateIntentRequest: {
      /**
       * @description Fiat amount to charge: positive, at most two decimals, at most 999,999.99. Never rounded.
       * @example 49.9
       */
      amount: number;
      /**
       * @description Fiat currency of the amount.
       * @example CHF
       * @enum {string}
       */
      currency: 'CHF' | 'EUR' | 'USD';
      /**
       * @description Shown to the buyer. When omitted, the checkout shows the merchant’s display name.
       * @example Order 1001
       */
      title?: string | null;
      /**
       * @description Unique per merchant, for ever; typically your order id. The same key returns the original intent, whatever the rest of the request says.
       * @example order-1001
       */
      idempotencyKey?: string | null;
      /**
       * @description Where the checkout’s way back to the merchant leads, byte for byte, with `service_intent` and `status` appended to its query: absolute https in ASCII (other characters percent-encoded, the host in punycode), without user info, and without these two parameters.
       * @example https://shop.example/thanks
       */
      returnUrl?: string | null;
    };
    IntentWithPaymentResponse: {
      /**
       * @description Keep it with the order. Sorts by the time of creation.
       * @example pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya
       */
      id: string;
      /**
       * @description Live: a lapsed window reads `expired` at once.
       * @enum {string}
       */
      status: 'initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled';
      /**
       * @description Fiat amount charged.
       * @example 49.9
       */
      amount: number;
      /**
       * @description Fiat currency of `amount`.
       * @enum {string}
       */
      currency: 'CHF' | 'EUR' | 'USD';
      /**
       * @description Title passed at creation.
       * @example Order 1001
       */
      title: string | null;
      /**
       * @description Asset that the buyer picked; null until then.
       * @example USDC
       */
      assetSymbol: string | null;
      /**
       * @description Exact amount to send, a decimal string with 8 places; null until an asset is picked.
       * @example 62.37500000
       */
      cryptoAmount: string | null;
      /**
       * @description Address the buyer pays to; null until an asset is picked.
       * @example 0x71C7656EC7ab88b098defB751B7401B5f6d8976F
       */
      depositAddress: string | null;
      /**
       * Format: uri
       * @description Send the buyer here.
       * @example https://pay.rappen.example/pay/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya
       */
      checkoutUrl: string;
      /**
       * @description Where the buyer may return to, as passed at creation.
       * @example https://shop.example/thanks
       */
      returnUrl: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       * @example 2026-11-21T08:15:00.000Z
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description End of the payment window: 15 minutes after creation.
       * @example 2026-11-21T08:15:00.000Z
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the deposit was confirmed on chain, if it was.
       * @example 2026-11-21T08:15:00.000Z
       */
      confirmedAt: string | null;
      /**
       * Format: date-time
       * @description When the payment settled, if it did: fulfil on this.
       * @example 2026-11-21T08:15:00.000Z
       */
      settledAt: string | null;
      /**
       * @description As passed at creation: with your order’s id as the key, this is your order’s id.
       * @example order-1001
       */
      idempotencyKey: string | null;
      /** @description What has arrived by now; null until an asset is picked. A list leaves it out. */
      payment: components['schemas']['Payment'];
    };
    PageOfIntentsResponse: {
      /** @description Newest first. */
      items: components['schemas']['PaymentIntentResponse'][];
      /**
       * Format: int64
       * @description How many intents match, on all pages.
       * @example 1
       */
      total: number;
      /**
       * Format: int32
       * @description This page, 1-based.
       * @example 1
       */
      page: number;
      /**
       * Format: int32
       * @description How many items a page holds at most.
       * @example 20
       */
      pageSize: number;
    };
    PageOfEventsResponse: {
      /** @description Oldest first; `after` of the next page is the `id` of the last one. Branch on `type`. */
      items: (components['schemas']['PaymentStatusEvent'] | components['schemas']['PaymentMoneyEvent'])[];
      /**
       * @description Whether there are more by now.
       * @example false
       */
      hasMore: boolean;
    };
    FieldErrorDocument: {
      /**
       * @description JSON pointer into the body.
       * @example /amount
       */
      pointer?: string;
      /**
       * @description Name of the query parameter.
       * @example page
       */
      parameter?: string;
      /**
       * @description What is wrong, for programs.
       * @example invalid_amount
       */
      code: string;
      /**
       * @description What is wrong, for people.
       * @example amount must be greater than 0.
       */
      detail: string;
    };
    ProblemDocument: {
      /**
       * Format: uri
       * @description A page that explains the problem.
       * @example https://api.rappen.example/problems/validation-error
       */
      type: string;
      /**
       * @description The kind of problem, in a few words.
       * @example The request is not valid
       */
      title: string;
      /**
       * Format: int32
       * @description The status of the answer.
       * @example 400
       */
      status: number;
      /**
       * @description This very problem, in a sentence.
       * @example amount must be greater than 0.
       */
      detail: string;
      /**
       * @description Quote it in support requests.
       * @example 4bf92f3577b34da6a3ce929d0e0e4736
       */
      traceId: string;
      /**
       * @description The kind of problem, for programs: stable.
       * @enum {string}
       */
      code:
        | 'validation-error'
        | 'malformed-json'
        | 'bad-request'
        | 'invalid-api-key'
        | 'merchant-not-approved'
        | 'insufficient-scope'
        | 'https-required'
        | 'cross-origin-request'
        | 'not-permitted'
        | 'not-found'
        | 'intent-not-found'
        | 'merchant-not-found'
        | 'method-not-allowed'
        | 'not-acceptable'
        | 'request-timeout'
        | 'conflict'
        | 'payload-too-large'
        | 'uri-too-long'
        | 'unsupported-media-type'
        | 'misdirected-request'
        | 'rate-limit-exceeded'
        | 'headers-too-large'
        | 'internal-error'
        | 'unavailable';
      /**
       * @description Path of the request.
       * @example /api/v1/intents
       */
      instance: string;
      /** @description Everything that is wrong with the input, where the input is what is wrong. */
      errors?: components['schemas']['FieldErrorDocument'][];
    };
    /** @description An intent has changed its status. */
    PaymentStatusEvent: {
      /** @description The same for every endpoint and every attempt. */
      id: string;
      /**
       * @description What kind of event it is: branch on it. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payment.status';
      /**
       * Format: date-time
       * @description When it happened. The time of a delivery is in its headers.
       */
      timestamp: string;
      /**
       * Format: int32
       * @description Counts per intent, without gaps. Apply an event only if it is higher than the last you saw.
       */
      sequence: number;
      /** @description The intent at the change, and what had arrived. */
      data: {
        intent: components['schemas']['PaymentIntentResponse'];
        /**
         * @description Null in the first event, which tells of the creation.
         * @enum {string|null}
         */
        previousStatus:
          'initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled' | null;
        payment: components['schemas']['Payment'];
      };
    };
    /** @description Money of an intent that has ended is final, and no settlement took it as the price. */
    PaymentMoneyEvent: {
      /** @description The same for every endpoint and every attempt. */
      id: string;
      /**
       * @description What kind of event it is: branch on it. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payment.money';
      /**
       * Format: date-time
       * @description When it happened. The time of a delivery is in its headers.
       */
      timestamp: string;
      /**
       * Format: int32
       * @description Counts the money of the intent, without gaps; beside the sequence of its statuses.
       */
      sequence: number;
      /** @description The intent, whose status stays, and the money. */
      data: {
        intent: components['schemas']['PaymentIntentResponse'];
        money: components['schemas']['EventMoney'];
      };
    };
    /** @description One transfer, or of a settlement’s transfer the part that was more than was asked. */
    EventMoney: {
      /** @description Of the transfer: one transaction can hold several. It is announced once. */
      id: string;
      /**
       * @description Why it is not the price: `late`, `underpaid`, `in-time-seen-late`, `excess` (too much), `beside-settlement` (more, seen before the settlement and no part of it), `after-settlement`, `other-quote`, `other-asset`, `other-network`, `before-issue` (it lay there before), or how the intent had ended: `cancelled`, `failed`.
       * @enum {string}
       */
      reason:
        | 'late'
        | 'underpaid'
        | 'in-time-seen-late'
        | 'excess'
        | 'beside-settlement'
        | 'after-settlement'
        | 'other-quote'
        | 'other-asset'
        | 'other-network'
        | 'before-issue'
        | 'cancelled'
        | 'failed';
      /** @description Where it arrived. */
      network: string;
      /** @description What arrived. */
      asset: string;
      /** @description How much of it, rounded down to 8 decimals. */
      amount: string;
      /** @description Id of the transaction on its chain. */
      txid: string;
      /**
       * Format: date-time
       * @description When all of it had been seen: what makes it late or not.
       */
      observedAt: string;
    };
    /** @description Null until an asset is picked. What has arrived at the deposit address, as far as it is on the chain or on its way there: now in a read, at the moment of the change in an event. Amounts in the asset of the intent. */
    Payment: {
      /** @description Of the deposit address. */
      network: string;
      /** @description Rounded down to 8 decimals. */
      received: string;
      /** @description Still to be sent, rounded up; 0 once it is complete. */
      missing: string;
      /** @description Oldest first; one transaction can hold several. Of more than 100 the largest; `received` is the sum of all. */
      transfers: {
        /** @description Id of the transaction on its chain. */
        txid: string;
        /** @description Rounded down to 8 decimals. */
        amount: string;
        /**
         * Format: int32
         * @description Blocks on top of it and its own; 0 outside a block.
         */
        confirmations: number;
      }[];
    } | null;
    /** @description A test of an endpoint. */
    WebhookTestEvent: {
      /** @description The same for every endpoint and every attempt. */
      id: string;
      /**
       * @description What kind of event it is: branch on it.
       * @constant
       */
      type: 'webhook.test';
      /**
       * Format: date-time
       * @description When it happened. The time of a delivery is in its headers.
       */
      timestamp: string;
      /**
       * Format: int32
       * @description Counts the tests of this endpoint.
       */
      sequence: number;
      data: {
        endpoint: {
          /** @example we_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya */
          id: string;
        };
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description The same as `traceId` in a problem: quote it in support requests.
     * @example 4bf92f3577b34da6a3ce929d0e0e4736
     */
    'X-Trace-Id': string;
    /**
     * @description Always `no-store`.
     * @example no-store
     */
    'Cache-Control': string;
    /**
     * @description The limit of this key for this kind of request: `q` requests in `w` seconds.
     * @example "write";q=300;w=60
     */
    'RateLimit-Policy': string;
    /**
     * @description What is left of it: `r` requests for the next `t` seconds.
     * @example "write";r=299;t=60
     */
    RateLimit: string;
    /**
     * @description Seconds to wait before the next try.
     * @example 23
     */
    'Retry-After': string;
    /**
     * @description The challenge of RFC 6750.
     * @example Bearer realm="api", error="invalid_token"
     */
    'WWW-Authenticate': string;
    /**
     * @description The type that is accepted, where the type was the reason.
     * @example application/json
     */
    Accept: string;
    /**
     * @description Path of the intent.
     * @example /api/v1/intents/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya
     */
    Location: string;
    /**
     * @description Always `true`: this intent was created by an earlier request with the same key.
     * @example true
     */
    'Idempotent-Replayed': string;
    /**
     * @description Fields in which this request differs from the original, which counts. Absent when none does.
     * @example amount, title
     */
    'Idempotency-Mismatch': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listIntents: {
    parameters: {
      query?: {
        /** @description Which page, 1-based. */
        page?: number;
        /** @description How many intents a page holds at most. */
        pageSize?: number;
        /** @description One status; repeat the parameter for several (OR). */
        status?: ('initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled')[];
        /** @description Created at or after. */
        createdFrom?: string;
        /** @description Created before. */
        createdTo?: string;
        /** @description The intent with exactly this key: one at most. */
        idempotencyKey?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of intents. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PageOfIntentsResponse'];
        };
      };
      /** @description `validation-error`: The request is not valid. `bad-request`: The request cannot be read. */
      400: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `invalid-api-key`: No valid API key. */
      401: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-approved`: The merchant is not approved. `insufficient-scope`: The key lacks a scope. `https-required`: HTTPS is required. */
      403: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `not-acceptable`: Only JSON is served. */
      406: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `request-timeout`: The request took too long. */
      408: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `uri-too-long`: The address is too long. */
      414: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `misdirected-request`: Wrong address. */
      421: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `rate-limit-exceeded`: Too many requests. */
      429: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `headers-too-large`: The headers are too large. */
      431: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `internal-error`: Something went wrong on our side. */
      500: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unavailable`: Not available just now. */
      503: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
    };
  };
  createIntent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateIntentRequest'];
      };
    };
    responses: {
      /** @description The original intent: the key has been used before. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          Location: components['headers']['Location'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          'Idempotency-Mismatch': components['headers']['Idempotency-Mismatch'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PaymentIntentResponse'];
        };
      };
      /** @description A new intent. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PaymentIntentResponse'];
        };
      };
      /** @description `validation-error`: The request is not valid. `malformed-json`: The body is not a JSON object. `bad-request`: The request cannot be read. */
      400: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `invalid-api-key`: No valid API key. */
      401: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-approved`: The merchant is not approved. `insufficient-scope`: The key lacks a scope. `https-required`: HTTPS is required. */
      403: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-found`: No such merchant. */
      404: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `not-acceptable`: Only JSON is served. */
      406: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `request-timeout`: The request took too long. */
      408: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `payload-too-large`: The body is too large. */
      413: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `uri-too-long`: The address is too long. */
      414: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unsupported-media-type`: The body is not JSON. */
      415: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          Accept: components['headers']['Accept'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `misdirected-request`: Wrong address. */
      421: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `rate-limit-exceeded`: Too many requests. */
      429: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `headers-too-large`: The headers are too large. */
      431: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `internal-error`: Something went wrong on our side. */
      500: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unavailable`: Not available just now. */
      503: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
    };
  };
  getIntent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the intent. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The intent, with its live status and what has arrived. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IntentWithPaymentResponse'];
        };
      };
      /** @description `validation-error`: The request is not valid. `bad-request`: The request cannot be read. */
      400: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `invalid-api-key`: No valid API key. */
      401: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-approved`: The merchant is not approved. `insufficient-scope`: The key lacks a scope. `https-required`: HTTPS is required. */
      403: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `intent-not-found`: No such payment intent. */
      404: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `not-acceptable`: Only JSON is served. */
      406: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `request-timeout`: The request took too long. */
      408: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `uri-too-long`: The address is too long. */
      414: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `misdirected-request`: Wrong address. */
      421: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `rate-limit-exceeded`: Too many requests. */
      429: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `headers-too-large`: The headers are too large. */
      431: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `internal-error`: Something went wrong on our side. */
      500: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unavailable`: Not available just now. */
      503: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
    };
  };
  cancelIntent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the intent. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The intent, cancelled, now or before. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IntentWithPaymentResponse'];
        };
      };
      /** @description `validation-error`: The request is not valid. `malformed-json`: The body is not a JSON object. `bad-request`: The request cannot be read. */
      400: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `invalid-api-key`: No valid API key. */
      401: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-approved`: The merchant is not approved. `insufficient-scope`: The key lacks a scope. `https-required`: HTTPS is required. */
      403: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `intent-not-found`: No such payment intent. */
      404: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `not-acceptable`: Only JSON is served. */
      406: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `request-timeout`: The request took too long. */
      408: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `conflict`: The state does not allow it. */
      409: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `payload-too-large`: The body is too large. */
      413: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `uri-too-long`: The address is too long. */
      414: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unsupported-media-type`: The body is not JSON. */
      415: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          Accept: components['headers']['Accept'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `misdirected-request`: Wrong address. */
      421: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `rate-limit-exceeded`: Too many requests. */
      429: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `headers-too-large`: The headers are too large. */
      431: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `internal-error`: Something went wrong on our side. */
      500: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unavailable`: Not available just now. */
      503: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description The id of an event: what follows is listed. Without it, from your first event on. */
        after?: string;
        /** @description How many events a page holds at most. */
        pageSize?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events, oldest first. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PageOfEventsResponse'];
        };
      };
      /** @description `validation-error`: The request is not valid. `bad-request`: The request cannot be read. */
      400: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `invalid-api-key`: No valid API key. */
      401: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `merchant-not-approved`: The merchant is not approved. `insufficient-scope`: The key lacks a scope. `https-required`: HTTPS is required. */
      403: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `not-acceptable`: Only JSON is served. */
      406: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `request-timeout`: The request took too long. */
      408: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `uri-too-long`: The address is too long. */
      414: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `misdirected-request`: Wrong address. */
      421: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `rate-limit-exceeded`: Too many requests. */
      429: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `headers-too-large`: The headers are too large. */
      431: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `internal-error`: Something went wrong on our side. */
      500: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
      /** @description `unavailable`: Not available just now. */
      503: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDocument'];
        };
      };
    };
  };
  onPaymentStatus: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The event’s id.
         * @example evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d
         */
        'webhook-id': string;
        /**
         * @description Seconds since 1970, of this attempt.
         * @example 1795249477
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them while a secret is being replaced.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentStatusEvent'];
      };
    };
    responses: {
      /** @description Gone: disables the endpoint. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else is tried again, for three days; `Retry-After` is honoured. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentMoney: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The event’s id.
         * @example evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d
         */
        'webhook-id': string;
        /**
         * @description Seconds since 1970, of this attempt.
         * @example 1795249477
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them while a secret is being replaced.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentMoneyEvent'];
      };
    };
    responses: {
      /** @description Gone: disables the endpoint. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else is tried again, for three days; `Retry-After` is honoured. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWebhookTest: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The event’s id.
         * @example evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d
         */
        'webhook-id': string;
        /**
         * @description Seconds since 1970, of this attempt.
         * @example 1795249477
         */
        'webhook-timestamp': string;
        /**
         * @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them while a secret is being replaced.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookTestEvent'];
      };
    };
    responses: {
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Shown to whoever asked for the test; it is not tried again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
