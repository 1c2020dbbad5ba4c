import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../../config/config.types.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import { redact } from '../../kernel/text/redact.js';
import { currentTraceId } from './trace.js';

/** Causes of causes: two are enough to find the socket behind a failed request. */
const MAX_CAUSES = 2;
/** Of what a line or an error says, and of a stack: others' words are in it, and they may be of any length. */
const MOST_CHARS = 16_000;

/**
 * Of an error only what says where and why. Everything else that hangs on it stays out: TypeORM keeps a failed
 * statement's parameters, and PostgreSQL the values of the row that it refused (`detail`).
 */
function describeError(error: Error, causes = MAX_CAUSES): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code } = fieldsOf(error);
  return {
    name,
    message: redact(beginningOf(message)),
    stack: stack === undefined ? undefined : redact(beginningOf(stack)),
    code,
    ...(cause instanceof Error && causes > 0 ? { cause: describeError(cause, causes - 1) } : {}),
  };
}

function beginningOf(text: string): string {
  return text.slice(0, MOST_CHARS);
}

/** Errors come under any name; pino itself would write all their fields. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const describe = (value: unknown) => (value instanceof Error ? describeError(value) : value);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, describe(value)]));
}

export function createLogger(config: Pick<Config, 'logLevel'>, out?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: describeErrors },
    serializers: { err: (described: unknown) => described }, // instead of pino's own
    mixin: () => ({ traceId: currentTraceId() }),
    hooks: { streamWrite: redact },
  };
  return out ? pino(options, out) : pino(options);
}

/**
 * Of all lines only those of one context, for a program whose own words are its output.
 * @param out standard error, written at once: such a program ends soon
 */
export function onlyOf(
  context: string,
  out: DestinationStream = pino.destination({ dest: 2, sync: true }),
): LoggerService {
  const logger = new StructuredLogger(createLogger({ logLevel: 'warn' }, out));
  const warn = (message: unknown, ...rest: unknown[]) => {
    if (rest.at(-1) === context) logger.warn(message, ...rest);
  };
  return { log: () => undefined, error: () => undefined, warn };
}

/** What Nest says about its own wiring at each start: sixty lines that help nobody but its developers. */
const NEST_AT_BOOT = new Set<unknown>(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Nest's logger interface on pino: one JSON object a line, with the trace of its request. */
export class StructuredLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(NEST_AT_BOOT.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  /** Nest calls with (message, [text or stack], context): fields as an object, or plain text. */
  private write(level: 'debug' | 'info' | 'warn' | 'error', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const detail = rest.length > 1 ? rest[0] : undefined;
    const isObject = typeof message === 'object' && message !== null;
    const fields = message instanceof Error ? { err: message } : isObject ? message : {};
    // Without a text pino would take the whole of an error's.
    const own = message instanceof Error ? message.message : undefined;
    const text = [message, detail, own].find((part) => typeof part === 'string');
    const stack =
      typeof message === 'string' && typeof detail === 'string' ? { stack: beginningOf(detail) } : {};
    this.pino[level]({ context, ...stack, ...fields }, text === undefined ? text : beginningOf(text));
  }
}
