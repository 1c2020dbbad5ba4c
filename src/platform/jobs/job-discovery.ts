import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isObject } from '../../kernel/error-fields.js';
import { Jobs } from './jobs.js';

/** Gives `Jobs` every method of a provider that says `@ScheduledJob`. */
@Injectable()
export class JobDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    // A provider under two tokens is still one.
    const instances = new Set<unknown>(
      this.discovery.getProviders().map(({ instance }): unknown => instance),
    );
    for (const instance of instances) if (isObject(instance)) this.jobs.adopt(instance);
  }
}
