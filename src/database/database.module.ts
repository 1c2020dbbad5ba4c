import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config/config.types.js';
import { DatabaseClock } from './clock.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseStatus } from './database-status.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.databaseUrl, config.databasePoolSize),
        autoLoadEntities: true,
      }),
    }),
  ],
  providers: [DatabaseClock, DatabaseStatus],
  exports: [DatabaseClock, DatabaseStatus],
})
export class DatabaseModule {}
