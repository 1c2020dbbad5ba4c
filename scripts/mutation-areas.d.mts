export const AREAS: readonly string[];
export const UNCHANGED: Readonly<Record<string, string>>;
