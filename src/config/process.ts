import type { Env } from './environment.js';

/** The one place that touches the process' environment; everybody else is handed what it needs. */
export function processEnv(): Env {
  return process.env;
}
