import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { JobDiscovery } from './job-discovery.js';
import { Jobs } from './jobs.js';

/** `Jobs`, and what finds them: nobody has the one without the other. */
@Module({
  imports: [DiscoveryModule, ScheduleModule.forRoot()],
  providers: [Jobs, JobDiscovery],
  exports: [Jobs],
})
export class JobsModule {}
