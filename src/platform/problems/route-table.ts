import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request } from 'express';
import { surfaceOf } from '../http/surface.js';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * Tells "no such address" from "not by this method": Nest answers 404 to both. Looked up only when a request
 * has already failed, from the routes that Express itself knows.
 */
@Injectable()
export class RouteTable {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /** Methods that are routed at the request's path on its surface, HEAD and OPTIONS included. */
  methodsAt(request: Request): string[] {
    if (surfaceOf(request) === null) return [];
    const methods = new Set<string>();
    for (const layer of this.layers()) {
      if (layer.route && matches(layer, request.path)) {
        for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
      }
    }
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].sort();
  }

  private layers(): readonly Layer[] {
    const express = this.adapter.httpAdapter.getInstance<Express & { router: { stack: Layer[] } }>();
    return express.router.stack;
  }
}

/** Express decodes parameters while it matches; a malformed escape is simply no match. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
