# Makes a certificate authority of the cluster's own, and a key and a certificate for each of the database machines, in the current
# folder. They're valid for ten years. Machines that are added later get theirs from the same authority.
#   sh certificates.sh db1=10.66.77.11 db2=10.66.77.12 db3=10.66.77.13
# Copy ca.pem, and a machine's own two files as machine.pem and machine.key, to /etc/ssl/latchkey on that machine. Whoever has such a
# key can change what is in etcd, and so who the primary is: owner root, group ssl-cert, mode 640, with the users postgres and etcd in
# that group. The machines that run Latchkey only get ca.pem. Keep ca.key somewhere else.
set -eu
umask 077

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2> /dev/null; }

if [ ! -e ca.key ]; then
  new_key ca.key
  openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj '/CN=Latchkey cluster' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign' -out ca.pem
fi
for machine in "$@"; do
  name=${machine%%=*}
  new_key "$name.key"
  # Each of them is a server, and a client of the others.
  printf '%s\n' "subjectAltName=IP:${machine#*=},DNS:$name,DNS:localhost,IP:127.0.0.1" basicConstraints=CA:FALSE \
    keyUsage=digitalSignature extendedKeyUsage=serverAuth,clientAuth > "$name.ext"
  openssl req -new -key "$name.key" -subj "/CN=$name" |
    openssl x509 -req -sha256 -days 3650 -CA ca.pem -CAkey ca.key -set_serial "0x$(openssl rand -hex 16)" \
      -extfile "$name.ext" -out "$name.pem" 2> /dev/null
  rm "$name.ext"
done
