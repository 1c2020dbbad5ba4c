import type { INestApplicationContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { nameOf } from './routes.js';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly route?: { readonly path: string };
}

/** Of a handler that takes all that a query has, whatever its name is. */
export const ALL = '*';
/** Whatever is awaited is asked for it. */
const AWAITED = 'then';

/**
 * Notes from now on which parameters of its query each route asks for, whether they are sent or not: one that somebody adds is
 * noted without their doing.
 * @returns the parameters by the names of routes (`nameOf`)
 */
export function readParameters(app: INestApplicationContext): ReadonlyMap<string, ReadonlySet<string>> {
  const express = app.get(HttpAdapterHost).httpAdapter.getInstance<{ request: object }>();
  const query = getterOf(express.request, 'query');
  const read = new Map<string, Set<string>>();
  Object.defineProperty(express.request, 'query', {
    get(this: Asked) {
      const name = nameOf({ method: this.method, path: this.route?.path ?? this.path });
      const note = (key: string | symbol) => {
        if (typeof key === 'symbol' || key === AWAITED) return;
        read.set(name, (read.get(name) ?? new Set()).add(key));
      };
      return new Proxy(query.call(this), {
        get: (sent, key): unknown => {
          note(key);
          return Reflect.get(sent, key);
        },
        has: (sent, key) => {
          note(key);
          return Reflect.has(sent, key);
        },
        ownKeys: (sent) => {
          note(ALL);
          return Reflect.ownKeys(sent);
        },
      });
    },
  });
  return read;
}

function getterOf(of: object, name: string): (this: unknown) => object {
  for (let holder: object | null = of; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found?.get) return found.get as (this: unknown) => object;
  }
  throw new Error(`a request has no ${name}`);
}
