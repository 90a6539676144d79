/** Text of a file, as Bun bundles it. */
declare module '*.jsonl' {
  const text: string
  export = text
}
