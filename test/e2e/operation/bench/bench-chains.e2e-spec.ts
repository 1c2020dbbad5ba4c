import { itPrintsRows } from './printed-rows.js';

itPrintsRows('chains');
