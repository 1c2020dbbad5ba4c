import {
  type Connection,
  type Pool,
  type PoolClient,
  Query,
  type QueryResult,
  type QueryResultRow,
} from 'pg';

/** What `pg` does not declare of a query: how it is sent, and how its columns are read. */
declare module 'pg' {
  interface Query {
    prepare(connection: Connection): void;
    handleRowDescription(message: unknown): void;
    _accumulateRows: unknown;
    readonly _result: Columns;
  }
}

/** As `pg` makes it of what PostgreSQL says of a statement. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** What a connection is told, but for the question what the columns are. */
type Described = { readonly undescribing: Connection; readonly columns: Map<string, Columns> };
const described = new WeakMap<Connection, Described>();

/**
 * A named statement whose columns a connection asks for once. `pg` asks at each execution, and makes of the answer what reads a
 * row; of a short one that is more work than its rows. They cannot change: PostgreSQL refuses a prepared statement whose columns
 * would be others (`cached plan must not change result type`).
 */
export class PreparedQuery<Row extends QueryResultRow> extends Query<Row> {
  private connection: Connection | null = null;

  constructor(
    private readonly statement: string,
    text: string,
    values: readonly unknown[],
  ) {
    super({ name: statement, text, values: [...values] });
  }

  override prepare(connection: Connection): void {
    const known = described.get(connection);
    const columns = known?.columns.get(this.statement);
    if (!known || !columns) {
      this.connection = connection;
      return super.prepare(connection);
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    super.prepare(known.undescribing);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    if (!this.connection) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columnsOf(this.connection).set(this.statement, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

function columnsOf(connection: Connection): Map<string, Columns> {
  const known = described.get(connection);
  if (known) return known.columns;
  const undescribing = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  const made = { undescribing, columns: new Map<string, Columns>() };
  described.set(connection, made);
  return made.columns;
}

/** What every client and every pool of `pg` does with a query that is made already, and does not declare. */
interface Asked<Row extends QueryResultRow> {
  query(
    query: Query<Row>,
    values: undefined,
    done: (error: Error | null, result: QueryResult<Row>) => void,
  ): void;
}

export function ask<Row extends QueryResultRow>(
  client: Pool | PoolClient,
  query: PreparedQuery<Row>,
): Promise<Row[]> {
  const rows = new Promise<Row[]>((resolve, reject) => {
    (client as unknown as Asked<Row>).query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
  });
  return rows.catch((error: Error) => {
    // Made when the socket was read; from here it leads to whoever asked, as `pg` has it for its own.
    Error.captureStackTrace(error);
    throw error;
  });
}
