import type { Adapter } from '#kit/provider'

/** The endpoint's form is Mistral's own. What it takes: ocrrequest.py of mistralai 3.7.0 (PyPI), read 2026-11-22. */
export const ocr: Adapter<'ocr'> = {
  method: 'POST',
  path: '/ocr',
  wire: 'native',
  unlisted: 'drop',
  params: {
    model: true,
    document: true,
    pages: true,
    include_image_base64: true,
    image_limit: true,
    image_min_size: true,
    bbox_annotation_format: true,
    document_annotation_format: true,
    document_annotation_prompt: true,
    table_format: true,
    extract_header: true,
    extract_footer: true,
    include_blocks: true,
    confidence_scores_granularity: true,
  },
}
