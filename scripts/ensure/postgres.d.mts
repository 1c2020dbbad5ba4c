export function installedPostgres(versions?: string): string | null;
export function withoutCluster<T>(install: () => Promise<T>, clusters?: string): Promise<T>;
