const MAX_INT32 = 2_147_483_647;

/** A whole number of things. */
export const count = (minimum: number) => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum: MAX_INT32,
});

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
