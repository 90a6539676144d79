import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Picture } from './picture.tsx'

export interface ImagesFieldProps {
  /** As `data:` addresses. */
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** What all providers take in one message. */
const MAX_BYTES = 5_000_000

/** Of a file that is no image, or too large a one, its name is told. @throws Error */
const toAddress = async (file: File): Promise<string> => {
  if (!TYPES.includes(file.type)) throw new Error(`${file.name} is no PNG, JPEG, GIF or WebP.`)
  if (file.size > MAX_BYTES) throw new Error(`${file.name} is larger than 5 MB.`)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`))
    reader.readAsDataURL(file)
  })
}

/** Pictures that go along with a question. */
export const ImagesField = ({ value, onChange }: ImagesFieldProps) => {
  const [error, setError] = useState<string>()
  const add = async (files: readonly File[]): Promise<void> => {
    try {
      onChange([...value, ...(await Promise.all(files.map(toAddress)))])
      setError(undefined)
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  return (
    <div className="grid gap-2">
      <Field label="Images" error={error}>
        {(tie) => (
          <input
            {...tie}
            type="file"
            accept={TYPES.join(',')}
            multiple
            className="w-full max-w-md rounded-md border border-line bg-panel p-1.5 file:mr-3 file:rounded file:border-0 file:bg-raised file:px-2 file:py-1 file:text-ink"
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {value.map((url, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be there twice
            <li key={index} className="flex items-start gap-1 rounded-md border border-line p-1">
              <Picture url={url} alt={`To be sent, ${index + 1}`} />
              <Button
                look="quiet"
                aria-label={`Remove image ${index + 1}`}
                onClick={() => onChange(value.filter((_, at) => at !== index))}
              >
                <span aria-hidden>✕</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
