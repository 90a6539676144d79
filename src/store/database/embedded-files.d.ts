// Imported with `{ type: 'file' }`: a path on disk, or inside the single-file executable.
declare module '@electric-sql/pglite/pglite.wasm' {
  const path: string
  export = path
}
declare module '@electric-sql/pglite/initdb.wasm' {
  const path: string
  export = path
}
declare module '@electric-sql/pglite/pglite.data' {
  const path: string
  export = path
}

// Imported with `{ type: 'text' }`.
declare module '*.sql' {
  const text: string
  export = text
}
