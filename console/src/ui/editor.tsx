import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, defaultHighlightStyle, foldGutter, syntaxHighlighting } from '@codemirror/language'
import { linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { STYLE_NONCE } from '../api/page.ts'

export interface EditorProps {
  /** What it holds, for screen readers. */
  readonly label: string
  readonly value: string
  readonly language: 'json' | 'text'
  readonly onChange: (value: string) => void
}

/** In the colours of the page, light and dark. */
const LOOK = EditorView.theme({
  '&': { fontSize: '12px', border: '1px solid var(--line)', borderRadius: '6px', backgroundColor: 'var(--panel)' },
  '.cm-content': { fontFamily: 'var(--font-mono, monospace)', caretColor: 'var(--ink)', minHeight: '12rem' },
  '.cm-scroller': { maxHeight: '60vh', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', border: 'none' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent) !important' },
})

const LANGUAGES: Readonly<Record<EditorProps['language'], Extension>> = {
  json: [json(), linter(jsonParseLinter()), lintGutter(), foldGutter()],
  text: [],
}

/** An editor for JSON and templates. Tab leaves it, so that keyboards are not caught inside. */
export const Editor = ({ label, value, language, onChange }: EditorProps) => {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const [first, changed] = [useRef(value), useRef(onChange)]
  changed.current = onChange
  useEffect(() => {
    if (place.current === null) return
    const isDark = document.documentElement.classList.contains('dark')
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(STYLE_NONCE),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.lineWrapping,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString())
          }),
          ...[lineNumbers(), history(), bracketMatching(), keymap.of([...defaultKeymap, ...historyKeymap])],
          // Its colours are for a light page.
          ...(isDark ? [] : [syntaxHighlighting(defaultHighlightStyle)]),
          ...[LOOK, LANGUAGES[language]],
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label, language, first, changed])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div ref={place} />
}
