/** What an error carries beside its message, such as `code`: libraries give it no type. Nothing, where it is no object. */
export function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}
