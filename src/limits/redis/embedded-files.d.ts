// Imported with `{ type: 'text' }`: the executable has no folder to read.
declare module '*.lua' {
  const text: string
  export = text
}
