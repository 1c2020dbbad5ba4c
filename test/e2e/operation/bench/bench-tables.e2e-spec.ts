import { itPrintsRows } from './printed-rows.js';

itPrintsRows('tables');
