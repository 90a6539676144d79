import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Scroll } from './scroll.tsx'

const SAID_MS = 2_000

/** Puts a text on the clipboard, and says so. */
export const CopyButton = ({ text, what = 'Copy' }: { readonly text: string; readonly what?: string }) => {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed here')
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{said ?? what}</span>
    </Button>
  )
}

/** Text as it is, to read and to copy. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className="grid gap-2">
    <Scroll label={label} className="max-h-96 overflow-auto rounded-md bg-raised p-3">
      <pre className="font-mono text-xs">{text}</pre>
    </Scroll>
    <div>
      <CopyButton text={text} />
    </div>
  </div>
)
