// What people read in the documentation, besides the documents themselves.

export const docsMessages = {
  nav: 'Documentation',
  /** The navigation in this order. The keys are the names of the documents. */
  chapters: {
    '': 'Contents',
    quickstart: 'Quickstart',
    concepts: 'Concepts',
    clients: 'Libraries',
    endpoints: 'Endpoints',
    errors: 'Errors',
    api: 'API',
    operating: 'Operating',
    deploying: 'Deploying',
    branding: 'Branding',
    security: 'Security',
  },
};
