/** Where pages are looked at: the smallest phone, a common one at night, and a desk by day and by night. */
export const SCREENS = [
  [320, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const;
