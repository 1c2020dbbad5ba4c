import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { poolOf } from '../../database/statement.js';
import { VERSION } from '../process/version.js';
import { Metrics } from './metrics.js';

/** What this instance is, and how its connections to the database do. */
@Injectable()
export class ProcessMetrics implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const registers = [this.metrics.registry];
    new Gauge({
      name: 'rappen_build_info',
      help: 'Always 1; the labels say what runs',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version: VERSION, node: process.versions.node }, 1);
    const pool = poolOf(this.dataSource);
    new Gauge({
      name: 'rappen_database_pool_connections',
      help: 'Connections to PostgreSQL that this instance has open: in use, or idle',
      labelNames: ['state'],
      registers,
      collect() {
        this.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
      },
    });
    new Gauge({
      name: 'rappen_database_pool_waiting',
      help: 'Pieces of work that wait for a connection; more than 0 for long: the pool is too small, or the database slow',
      registers,
      collect() {
        this.set(pool.waitingCount);
      },
    });
    new Gauge({
      name: 'rappen_database_pool_size',
      help: 'How many connections it may open (DATABASE_POOL_SIZE)',
      registers,
    }).set(pool.options.max);
  }
}
