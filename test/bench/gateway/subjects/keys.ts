/** Secrets of a gateway that lives for one benchmark on the loopback address. */
export const API_KEY = 'bench-workspace-key-0123456789abcdef0123'
export const ADMIN_KEY = 'bench-organisation-key-0123456789abcdef0'
export const MASTER_KEY = 'bench master key, a passphrase of some length'
