/**
 * How TypeScript of ours becomes JavaScript: for the build, for Jest and for scripts. Types are checked by `npm run check`.
 * Nest injects by the types of a constructor's parameters (`decoratorMetadata`), and names in logs are those of classes.
 * @param {'es6' | 'commonjs'} type
 * @returns {import('@swc/core').Options}
 */
export const compilerOptions = (type) => ({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
});
