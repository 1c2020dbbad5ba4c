import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source.js';

/** For TypeORM's own command line (`npm run typeorm -- migration:show`); the application configures itself from `src/config`. */
export default new DataSource(dataSourceOptions(process.env['DATABASE_URL'] ?? '', 2));
