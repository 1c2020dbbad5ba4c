import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
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
    const instances = new Set(this.discovery.getProviders().map((wrapper) => wrapper.instance as unknown));
    for (const instance of instances)
      if (typeof instance === 'object' && instance !== null) this.jobs.adopt(instance);
  }
}
