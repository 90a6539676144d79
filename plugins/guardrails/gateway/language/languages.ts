/**
 * The languages that a check may name, and what the detector calls them (ISO 639-1). It knows no other Arabic than that of the
 * Arab script, and takes Indonesian and Malay for one, as well as Persian by either of its names.
 */
const DETECTED_AS = {
  eng_Latn: 'en',
  zho_Hans: 'zh',
  spa_Latn: 'es',
  ara_Arab: 'ar',
  por_Latn: 'pt',
  ind_Latn: 'ms',
  fra_Latn: 'fr',
  jpn_Jpan: 'ja',
  rus_Cyrl: 'ru',
  deu_Latn: 'de',
  kor_Hang: 'ko',
  tur_Latn: 'tr',
  ita_Latn: 'it',
  pes_Arab: 'fa',
  pol_Latn: 'pl',
  vie_Latn: 'vi',
  nld_Latn: 'nl',
  hin_Deva: 'hi',
  tha_Thai: 'th',
  heb_Hebr: 'he',
  ben_Beng: 'bn',
  swe_Latn: 'sv',
  ces_Latn: 'cs',
  ron_Latn: 'ro',
  ell_Grek: 'el',
  ukr_Cyrl: 'uk',
  dan_Latn: 'da',
  fin_Latn: 'fi',
  nor_Latn: 'no',
  hun_Latn: 'hu',
  cat_Latn: 'ca',
  bul_Cyrl: 'bg',
  msa_Latn: 'ms',
  hrv_Latn: 'hr',
  arb_Latn: undefined,
  slk_Latn: 'sk',
  lit_Latn: 'lt',
  lav_Latn: 'lv',
  srp_Cyrl: 'sr',
  slv_Latn: 'sl',
  est_Latn: 'et',
  urd_Arab: 'ur',
  fil_Latn: 'tl',
  aze_Latn: 'az',
  tam_Taml: 'ta',
  tel_Telu: 'te',
  mar_Deva: 'mr',
  kan_Knda: 'kn',
  fas_Arab: 'fa',
} as const satisfies Readonly<Record<string, string | undefined>>

export type Language = keyof typeof DETECTED_AS

/** The codes of the interface: language of ISO 639-3, script of ISO 15924. */
export const LANGUAGES = Object.keys(DETECTED_AS).filter((key): key is Language => key in DETECTED_AS)

/** What the detector calls a language; undefined for one that it does not know. */
export const detectedAs = (language: Language): string | undefined => DETECTED_AS[language]

const names = new Map<string, Language>()
for (const language of LANGUAGES) {
  const detected = DETECTED_AS[language]
  if (detected !== undefined && !names.has(detected)) names.set(detected, language)
}

/** The code of what the detector found; its own name for a language that the interface has no code for: `hy`. */
export const nameOf = (detected: string): string => names.get(detected) ?? detected
