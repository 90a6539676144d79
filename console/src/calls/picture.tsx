/** Images that are in the message itself: no other address is asked for them. */
const SHOWN = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/
const MOST_SHOWN = 200

/** An image that somebody sent, or its address where it is elsewhere or of another kind. */
export const Picture = ({ url, alt }: { readonly url: string; readonly alt: string }) =>
  SHOWN.test(url) ? (
    <img src={url} alt={alt} className="max-h-48 max-w-full justify-self-start rounded" />
  ) : (
    <p className="font-mono text-xs text-soft [overflow-wrap:anywhere]">Image {url.slice(0, MOST_SHOWN)}</p>
  )
