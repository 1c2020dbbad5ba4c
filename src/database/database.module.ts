import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config/config.types.js';
import { DatabaseClock } from './clock.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseStatus } from './database-status.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param isForRequest whether what asks for a connection works for a request */
  static with(isForRequest: () => boolean): DynamicModule {
    const connection = TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.databaseUrl, config.databasePoolSize, isForRequest),
        autoLoadEntities: true,
      }),
    });
    const services = [DatabaseClock, DatabaseStatus];
    return { module: DatabaseModule, imports: [connection], providers: services, exports: services };
  }
}
