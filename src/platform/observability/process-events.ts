import { Logger } from '@nestjs/common';

/** Whatever Node says of this process is a line of the log like any other, not text between its lines. */
export function logProcessEvents(): void {
  const logger = new Logger('Process');
  // Node's own listener is among them, and writes plain text.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'process warning'));
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
