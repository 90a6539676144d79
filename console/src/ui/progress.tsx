/** How far something has come. @param done of `total` */
export const Progress = ({
  label,
  done,
  total,
}: {
  readonly label: string
  readonly done: number
  readonly total: number
}) => {
  const share = total === 0 ? 0 : Math.min(100, (done / total) * 100)
  return (
    <div className="grid min-w-36 gap-1">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded bg-raised"
      >
        <div className="h-full bg-accent" style={{ width: `${share}%` }} />
      </div>
      <span className="text-xs text-soft tabular-nums">
        {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </div>
  )
}
