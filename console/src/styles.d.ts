/** Style sheets, which the bundler takes out. */
declare module '*.css'
