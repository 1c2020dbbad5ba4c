import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source.js';

/**
 * For TypeORM's own command line (`npm run typeorm -- migration:show`); the application configures itself from `src/config`.
 * Entities say what the columns are and what is unique. Foreign keys, CHECKs and indexes stand in the migrations alone.
 */
export default new DataSource({
  ...dataSourceOptions(process.env['DATABASE_URL'] ?? '', 2),
  entities: [join(import.meta.dirname, 'src/**/*.entity.ts')],
});
