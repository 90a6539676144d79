/** The master key is missing, wrong or not usable. The message says what to do and never holds a key. */
export class MasterKeyRefused extends Error {
  override readonly name = 'MasterKeyRefused'
}

/** A sealed text does not open: it was altered, or it belongs to another record. The message holds nothing of it. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}
