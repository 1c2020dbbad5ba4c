export const EVERYTHING: readonly string[];
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
export const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
export const TABLES: Readonly<Record<string, readonly string[]>>;
export const READS: Readonly<Record<string, Readonly<Record<string, string>>>>;
export const WRITES: Readonly<Record<string, Readonly<Record<string, string>>>>;
