export const THEMES = { system: 'As the system', light: 'Light', dark: 'Dark' } as const

export type Theme = keyof typeof THEMES

const CHOICE = 'weir-theme'
const darkSystem = matchMedia('(prefers-color-scheme: dark)')

export const chosenTheme = (): Theme => {
  const kept = localStorage.getItem(CHOICE)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Shows the page in the colours that were chosen, and follows the system where none were. */
const apply = (): void => {
  const theme = chosenTheme()
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && darkSystem.matches))
}

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(CHOICE, theme)
  apply()
}

export const startTheme = (): void => {
  darkSystem.addEventListener('change', apply)
  apply()
}
