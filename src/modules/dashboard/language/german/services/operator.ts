/** What services refuse the operator. */
export const operatorServices = {
  'This merchant is closed for good.': 'Dieser Händler ist endgültig geschlossen.',
  'There is no merchant {id}.': 'Den Händler {id} gibt es nicht.',
  'Say why, in at most {most} characters: the reason stays in the log.':
    'Sagen Sie warum, in höchstens {most} Zeichen: Die Begründung bleibt im Protokoll.',
} as const;
