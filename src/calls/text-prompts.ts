/** How many texts a text completion is asked to go on from; a list of numbers is one text, cut into tokens. */
export const countPrompts = (prompt: unknown): number =>
  Array.isArray(prompt) && prompt.length > 0 && typeof prompt[0] !== 'number' ? prompt.length : 1
