import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { JobDiscovery } from './job-discovery.js';
import { Jobs } from './jobs.js';

/** `Jobs`, and what finds them: nobody has the one without the other. The library starts no timers of its own (ADR 54). */
@Module({
  imports: [DiscoveryModule, ScheduleModule.forRoot({ intervals: false, cronJobs: false, timeouts: false })],
  providers: [Jobs, JobDiscovery],
  exports: [Jobs],
})
export class JobsModule {}
