require 'omniauth_openid_connect'
require 'rack/mock'

issuer = ENV.fetch('OIDC_ISSUER')
uri = URI(issuer)
OmniAuth.config.request_validation_phase = nil
OmniAuth.config.allowed_request_methods = %i[get]
OmniAuth.config.silence_get_warning = true
app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'of this test' * 10
  use OmniAuth::Builder do
    provider :openid_connect, name: :latchkey, issuer: issuer, scope: %i[openid profile email], response_type: :code,
                              client_auth_method: :jwks, client_signing_alg: :HS256,
                              client_options: { scheme: uri.scheme, host: uri.host, port: uri.port,
                                                authorization_endpoint: '/oauth-authorize', token_endpoint: '/oauth/token',
                                                identifier: ENV.fetch('OIDC_CLIENT_ID'), secret: ENV.fetch('OIDC_CLIENT_SECRET'),
                                                redirect_uri: ENV.fetch('OIDC_REDIRECT_URI') }
  end
  run ->(_env) { [404, {}, []] }
end
puts Rack::MockRequest.new(app.to_app).get('/auth/latchkey')['Location']
