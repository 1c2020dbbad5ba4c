/** "Older than so many days", by the database's clock. @param days a whole number */
export function olderThan(column: string, days: number): string {
  return `${column} < clock_timestamp() - make_interval(days => ${days})`;
}
