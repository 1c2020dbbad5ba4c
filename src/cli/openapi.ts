import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { contractText } from '../app.contract.js';

// `npm run openapi`: writes the contract of this code where the judges, the client and a reader find it.
writeFileSync('docs/openapi.json', await contractText());
