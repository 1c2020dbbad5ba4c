import { itPrintsRows } from './printed-rows.js';

itPrintsRows('api');
