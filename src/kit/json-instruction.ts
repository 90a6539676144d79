/** Asks a model in words for what no parameter of its provider guarantees: a JSON object, perhaps of a schema. */
export const jsonInstruction = (schema?: unknown): string => {
  const rule = 'Answer with one JSON object and nothing else: no other text and no code fence.'
  return schema === undefined ? rule : `${rule} It must conform to this JSON schema:\n${JSON.stringify(schema)}`
}
