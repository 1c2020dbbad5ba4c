export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export function hasHeadlessShell(env?: NodeJS.ProcessEnv): boolean;
