# Flask's integration with its defaults: the secret as HTTP Basic, a nonce, no PKCE.
import os
from urllib.parse import urlencode, urljoin

from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.urandom(32)
oauth = OAuth(app)
bridge = oauth.register(
    'bridge',
    client_id=os.environ['OIDC_CLIENT_ID'],
    client_secret=os.environ['OIDC_CLIENT_SECRET'],
    server_metadata_url=os.environ['OIDC_ISSUER'] + '/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid profile email'},
)
redirect_uri = os.environ['OIDC_REDIRECT_URI']
known = {}


@app.get('/sign-in')
def sign_in():
    return bridge.authorize_redirect(redirect_uri)


@app.get('/callback')
def callback():
    try:
        known['token'] = bridge.authorize_access_token()
    except OAuthError as error:
        return error.error, 403
    return dict(known['token']['userinfo'])


@app.get('/refresh')
def refresh():
    metadata = bridge.load_server_metadata()
    try:
        with bridge._get_oauth_client(**metadata) as client:
            fresh = client.refresh_token(metadata['token_endpoint'], refresh_token=known['token']['refresh_token'])
            return bridge.userinfo(token=fresh)
    except OAuthError as error:
        return error.error, 401


@app.get('/sign-out')
def sign_out():
    query = {'id_token_hint': known['token']['id_token'], 'post_logout_redirect_uri': urljoin(redirect_uri, '/signed-out')}
    session.clear()
    return redirect(bridge.load_server_metadata()['end_session_endpoint'] + '?' + urlencode(query))


@app.get('/signed-out')
def signed_out():
    return 'signed out'


app.run(host='localhost', port=int(os.environ['PORT']))
