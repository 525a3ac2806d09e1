# With discovery and its defaults: the secret as HTTP Basic, a nonce, no PKCE.
require 'json'
require 'omniauth_openid_connect'
require 'sinatra/base'

issuer = ENV.fetch('OIDC_ISSUER')
redirect_uri = ENV.fetch('OIDC_REDIRECT_URI')
# For a provider without TLS on this machine.
[SWD, WebFinger].each { |each| each.url_builder = URI::HTTP }
client = nil
tokens = nil

App = Class.new(Sinatra::Base) do
  set :host_authorization, {}
  use Rack::Session::Cookie, secret: 'of this test' * 10, same_site: :lax
  OmniAuth.config.allowed_request_methods = %i[get]
  OmniAuth.config.silence_get_warning = true
  OmniAuth.config.failure_raise_out_environments = []
  use OmniAuth::Builder do
    provider :openid_connect, name: :bridge, issuer: issuer, discovery: true, scope: %i[openid profile email],
                              response_type: :code, request_path: '/sign-in', callback_path: '/callback',
                              client_options: { identifier: ENV.fetch('OIDC_CLIENT_ID'),
                                                secret: ENV.fetch('OIDC_CLIENT_SECRET'), redirect_uri: redirect_uri }
  end

  get '/callback' do
    auth = request.env['omniauth.auth']
    tokens = auth.credentials
    client = request.env['omniauth.strategy'].client
    JSON.generate(auth.info.to_h.merge(sub: auth.uid))
  end
  get '/auth/failure' do
    halt 403, params['message'].to_s
  end
  get '/refresh' do
    client.refresh_token = tokens.refresh_token
    JSON.generate(client.access_token!.userinfo!.raw_attributes)
  rescue Rack::OAuth2::Client::Error => e
    halt 401, e.response[:error].to_s
  end
  get '/sign-out' do
    query = { id_token_hint: tokens.id_token, post_logout_redirect_uri: URI.join(redirect_uri, '/signed-out').to_s }
    configuration = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
    redirect "#{configuration.end_session_endpoint}?#{URI.encode_www_form(query)}"
  end
  get('/signed-out') { 'signed out' }
end
App.run!(host: 'localhost', port: ENV.fetch('PORT').to_i, server: 'puma', quiet: true)
